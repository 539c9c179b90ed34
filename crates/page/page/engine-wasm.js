// The engine as WebAssembly in a worker, without a server. To stop a question, its worker is
// terminated.

let worker = null;
let waiting = null;
let last = Promise.resolve();

function work() {
  worker ??= new Worker("worker.js", { type: "module" });
  worker.onmessage = ({ data }) => {
    if (data.progress) waiting?.progress?.(data.progress);
    else waiting?.done(data);
  };
  worker.onerror = () => {
    end();
    waiting?.done({ ok: false, text: '{"error":"the engine could not be loaded"}' });
  };
  return worker;
}

function end() {
  worker?.terminate();
  worker = null;
}

/** Sends one question at a time, in order. */
function send(form, query, { signal, progress } = {}) {
  const run = () => new Promise((resolve, reject) => {
    const stop = () => {
      end();
      reject(signal.reason);
    };
    signal?.throwIfAborted();
    signal?.addEventListener("abort", stop, { once: true });
    waiting = {
      progress,
      done: (told) => {
        signal?.removeEventListener("abort", stop);
        resolve(told);
      },
    };
    work().postMessage({ form, query: JSON.stringify(query) });
  });
  const mine = last.then(run, run);
  last = mine.catch(() => {});
  return mine;
}

export const ask = (query, options) => send(0, query, options);
export const picture = (query, options) => send(1, query, options);

// The engine is fetched together with the view.
work();
// offline.js lets the page work without a network after the first visit; it is loaded after the
// first view.
setTimeout(() => navigator.serviceWorker?.register("offline.js").catch(() => {}), 2000);

// The engine as WebAssembly, in a worker: no server. A question that is stopped ends with its
// worker.

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

/** One question at a time, in the order in which they were asked. */
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

// It is fetched while the view is.
work();
// Once it was open, the page works without a network; what that takes is fetched when the first
// view is there.
setTimeout(() => navigator.serviceWorker?.register("offline.js").catch(() => {}), 2000);

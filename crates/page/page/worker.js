// The engine's module in a worker: a question in, the text of its answer out.

const decoder = new TextDecoder();
const encoder = new TextEncoder();
// What the module may call. Anything else that it names belongs to packages that it does not use.
const none = () => {
  throw new Error("not there");
};
const nothing = new Proxy({}, { get: () => none });
let failure = "";
const own = {
  progress: (done, all) => postMessage({ progress: { done, all } }),
  failed: (at, length) => {
    failure = decoder.decode(new Uint8Array(engine.memory.buffer, at, length));
  },
};

const compiled = WebAssembly.compileStreaming(fetch("engine.wasm"));
let engine = null;

async function start() {
  const module = await compiled;
  const imports = {};
  for (const { module: from } of WebAssembly.Module.imports(module)) {
    imports[from] = from === "env" ? own : nothing;
  }
  return (await WebAssembly.instantiate(module, imports)).exports;
}

onmessage = async ({ data }) => {
  try {
    engine ??= await start();
    const bytes = encoder.encode(data.query);
    const at = engine.question(bytes.length);
    new Uint8Array(engine.memory.buffer, at, bytes.length).set(bytes);
    const ok = engine.answer(data.form) === 1;
    const body = new Uint8Array(engine.memory.buffer, engine.body(), engine.length());
    postMessage({ ok, text: decoder.decode(body) });
  } catch (error) {
    // After a trap the module's memory cannot be trusted.
    engine = null;
    postMessage({ ok: false, text: JSON.stringify({ error: `the engine failed on this question: ${failure || error.message}` }) });
    failure = "";
  }
};

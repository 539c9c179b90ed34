// Runs the engine's module in a worker: receives a question, and sends the text of its answer.

const decoder = new TextDecoder();
const encoder = new TextEncoder();
// The functions that the module may call. It imports others only for packages that it does not use.
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

/** Compiles a part of the module from a compressed file, which the browser may have unpacked already. */
async function compile(name) {
  const response = await fetch(name);
  if (!response.ok) throw new Error(`${name}: ${response.status}`);
  const [head, body] = response.body.tee();
  const { value } = await head.getReader().read();
  const packed = value[0] === 0x1f && value[1] === 0x8b;
  const plain = packed ? body.pipeThrough(new DecompressionStream("gzip")) : body;
  return WebAssembly.compileStreaming(new Response(plain, { headers: { "Content-Type": "application/wasm" } }));
}

// The module has two parts. The first is enough for the first view; a call to the second part
// throws; then that part is fetched, and the question is asked again.
class Missing extends Error {}
const missing = new Proxy({}, { get: () => () => {
  throw new Missing();
} });
const first = compile("engine.wasm.gz");
let rest = null;
let engine = null;

async function start() {
  const instance = async (module, primary) => {
    const imports = {};
    for (const { module: from } of WebAssembly.Module.imports(module)) {
      imports[from] = { env: own, p: missing, primary }[from] ?? nothing;
    }
    return (await WebAssembly.instantiate(module, imports)).exports;
  };
  const both = await instance(await first);
  if (rest) await instance(rest, both);
  return both;
}

async function answer(data) {
  engine ??= await start();
  try {
    const bytes = encoder.encode(data.query);
    const at = engine.question(bytes.length);
    new Uint8Array(engine.memory.buffer, at, bytes.length).set(bytes);
    const ok = engine.answer(data.form) === 1;
    return { ok, text: decoder.decode(new Uint8Array(engine.memory.buffer, engine.body(), engine.length())) };
  } catch (error) {
    // After a trap, the module's memory cannot be trusted.
    engine = null;
    if (!(error instanceof Missing) || rest) throw error;
    rest = await compile("rest.wasm.gz");
    return answer(data);
  }
}

onmessage = async ({ data }) => {
  try {
    postMessage(await answer(data));
  } catch (error) {
    postMessage({ ok: false, text: JSON.stringify({ error: `the engine failed on this question: ${failure || error.message}` }) });
    failure = "";
  }
};

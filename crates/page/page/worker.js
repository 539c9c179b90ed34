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

/** The module, which is kept compressed; a host may have told the browser to unpack it already. */
async function compile() {
  const response = await fetch("engine.wasm.gz");
  if (!response.ok) throw new Error(`engine.wasm.gz: ${response.status}`);
  const bytes = await response.arrayBuffer();
  const [first, second] = new Uint8Array(bytes);
  if (first !== 0x1f || second !== 0x8b) return WebAssembly.compile(bytes);
  const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return WebAssembly.compile(await new Response(plain).arrayBuffer());
}
const compiled = compile();
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

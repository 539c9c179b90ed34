// The engine on a server: `flipcost explore` answers on all cores of this machine. engine-wasm.js
// has the same functions without a server.

let asked = 0;

/** The error if the server no longer answers. */
class Gone extends Error {
  constructor() {
    super("flipcost has stopped");
    this.name = "Gone";
  }
}

/** Asks a question and returns the text of the answer or of its picture. */
async function send(path, query, { signal, progress } = {}) {
  const name = `q${Date.now().toString(36)}${(asked += 1)}`;
  const look = progress && setInterval(async () => {
    const told = await fetch(`progress/${name}`).catch(() => null);
    if (told?.ok) progress(await told.json());
  }, 500);
  try {
    const response = await fetch(path, {
      method: "POST",
      headers: { "X-Question": name },
      body: JSON.stringify(query),
      signal,
    });
    const text = await response.text();
    return { ok: response.ok && !text.startsWith('{"error"'), text };
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Gone();
  } finally {
    clearInterval(look);
  }
}

export const ask = (query, options) => send("ask", query, options);
export const picture = (query, options) => send("picture", query, options);

// A loaded coin, for fair bits and fair dice, or a loaded die from fair flips.

import { choice, h, option, show } from "../parts.js";
import { coin } from "../coin.js";
import { USUAL, weights } from "../weights.js";

const KINDS = [["coin", "a coin"], ["die", "a die"]];

export function view(place, remember) {
  let [state, part] = [null, null];
  const title = h("h1");
  const kinds = choice("What is loaded");
  const above = h("div", { class: "controls" }, h("div", { class: "field" }, h("span", { class: "label" }, "What is loaded:"), kinds));

  /** Makes the part for a coin or a die; a part that was replaced no longer changes the address. */
  function make(kind) {
    const change = (changed, passing) => {
      if (part !== mine) return;
      state = { ...state, ...changed };
      remember(state, passing);
      if (kind === "coin") mine.draw(state);
    };
    const mine = kind === "die" ? weights(place, change) : coin(change);
    return Object.assign(mine, { kind });
  }

  function draw() {
    const kind = state.weights ? "die" : "coin";
    if (part?.kind !== kind) {
      part = make(kind);
      title.textContent = `A loaded ${kind}`;
      show(kinds, KINDS.map(([name, text]) => option(text, name === kind, () => {
        if (name === kind) return;
        state = name === "die" ? { weights: USUAL, method: "" } : { heads: "", block: "", pairs: "" };
        remember(state);
        draw();
      })));
      show(place, title, above, part.elements ?? part.element);
    }
    part.draw(state);
  }

  return {
    update(given) {
      state = given.weights ? { weights: given.weights, method: given.method ?? "" }
        : { heads: given.heads ?? "", block: given.block ?? "", pairs: /^[HT]{1,1000}$/.test(given.pairs ?? "") ? given.pairs : "" };
      draw();
    },
  };
}

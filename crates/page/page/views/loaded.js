// A loaded coin: fair bits and fair dice from it.

import { h } from "../parts.js";
import { coin } from "../coin.js";

export function view(place, remember) {
  let state;
  const loaded = coin((changed, passing) => {
    state = { ...state, ...changed };
    remember(state, passing);
    loaded.draw(state);
  });
  place.append(h("h1", "A loaded coin"), loaded.element);
  return {
    update(given) {
      state = { heads: given.heads ?? "", block: given.block ?? "", pairs: /^[HT]{1,1000}$/.test(given.pairs ?? "") ? given.pairs : "" };
      loaded.draw(state);
    },
  };
}

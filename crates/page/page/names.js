// The views in order, with names and titles; the pages of studies link to them, too.

export const VIEWS = [
  ["die", "A die"],
  ["all", "All dice"],
  ["table", "At the table"],
  ["loaded", "Loaded"],
  ["language", "Your language"],
  ["supply", "How much is enough"],
  ["rule", "Your own rule"],
  ["studies", "The studies"],
];

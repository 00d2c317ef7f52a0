/** What the user wants: the sliders' values, pins and exclusions. Pure; the server does the choosing. */

export const wantedOf = (state) => ({
  ...state.options,
  pinned: new Set(state.pinned),
  excluded: new Set(state.excluded),
});

export const asBody = (wanted) => ({ ...wanted, pinned: [...wanted.pinned], excluded: [...wanted.excluded] });

/** Ticking a paper that was left out pins it; unticking one excludes it. */
export function ticked(wanted, id, use) {
  const pinned = new Set(wanted.pinned), excluded = new Set(wanted.excluded);
  (use ? pinned : excluded).add(id);
  (use ? excluded : pinned).delete(id);
  return { ...wanted, pinned, excluded };
}

export function pinned(wanted, id, pin) {
  if (pin) return ticked(wanted, id, true);
  const rest = new Set(wanted.pinned);
  rest.delete(id);
  return { ...wanted, pinned: rest };
}

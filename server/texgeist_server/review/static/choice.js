/** The user's choice: the sliders' values, pins and exclusions. Pure functions; the server chooses the papers. */

export const wantedOf = (state) => ({
  ...state.options,
  pinned: new Set(state.pinned),
  excluded: new Set(state.excluded),
});

export const asBody = (wanted) => ({ ...wanted, pinned: [...wanted.pinned], excluded: [...wanted.excluded] });

/** The choice after the user ticked (`use`) or unticked a paper: a ticked paper is pinned, an unticked one excluded. */
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

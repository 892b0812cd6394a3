/** The letters of an English keyboard, in their rows. */
const rows = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm'] as const;

/** The letter left or right on the keyboard, in the same case; `random` (0–1) chooses. Null if not a letter. */
export function keyBeside(letter: string, random: number): string | null {
  // Some other characters have an ASCII letter as their lower case: the Kelvin sign has k.
  if (!/^[a-z]$/i.test(letter)) return null;
  const lower = letter.toLowerCase();
  const row = rows.find((keys) => keys.includes(lower));
  if (!row) return null;
  const place = row.indexOf(lower);
  const beside = [row[place - 1], row[place + 1]].filter((key) => key !== undefined);
  const key = beside[Math.floor(random * beside.length)];
  if (key === undefined) return null;
  return letter === lower ? key : key.toUpperCase();
}

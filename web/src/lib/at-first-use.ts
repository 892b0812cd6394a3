/**
 * Makes a value at its first use. For the formats of `Intl`, of which a browser takes 20 ms to make the first: 80 on a phone, before
 * anything is drawn.
 */
export function atFirstUse<Value extends object>(make: () => Value): () => Value {
  let value: Value | undefined;
  return () => {
    value ??= make();
    return value;
  };
}

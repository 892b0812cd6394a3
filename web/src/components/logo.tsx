/** The product's mark: a level meter. Decoration beside the name. */
export function Logo({ size = 28 }: { size?: number }) {
  return <img src="/icon.svg" width={size} height={size} alt="" />;
}

/** A plain 'G' in a ring, in the text's colour. */
export function GoogleMark() {
  return (
    <svg
      width="18"
      height="18"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2.4"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d="M20.500 12h-8M20.500 12a8.500 8.500 0 1 1-2.600-6.100" />
    </svg>
  );
}

/** The text that the demo types. */
export const sampleTranscription =
  'A closure is a function that remembers the variables of the place where it was written, even after that place has ' +
  'finished its work. I use closures to keep a value private, for example a counter that nothing else can change. ' +
  'They are also what makes callbacks useful: the function that runs later still knows what was true when it was made.';

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Before these words stands a noun, if anything. */
export const afterNoun = wordsOf('is are was were has have can may must should will of');

/** Before these stands a verb. */
export const afterVerb = wordsOf('a an the this that these those its it them their us you');

/** After these begins a noun with what describes it. */
export const beforeNoun = wordsOf(`
  a an the its their our your every each another
  of in on by for with into from through via per about
`);

/** After these it is in the singular. */
export const beforeSingular = wordsOf('a an every each another');

/** Verbs that end a noun's words where they stand among them. Those that are as often nouns are left out. */
export const plainVerbs = wordsOf(`
  get gets take takes keep keeps make makes give gives use uses need needs hold holds run runs return returns
  create creates contain contains live lives wait waits become becomes using
  absorbs adapt adapts agree agrees appends arrives begins believes belongs collapses comes come compares consists
  continues couples covers depends disappears drops ends enters exits expires fails finish finishes fits forks goes grow
  grows happens ignores includes keeps lasts lets loses means merges moves multiplexes overlap overlaps paints prevents
  reaches receives refers refills rejects remains renders repeats requires reserves responds restarts rise says
  schedules sees shows starts stay stays stops survives tells tracks triggers turns unmounts warns works
`);

/** Words that say how, when or where, after a noun. */
export const afterthoughts = wordsOf(`
  alone apart away back beyond consistent deep early exhaustive idempotent larger later longer meanwhile outwards
  safe shorter smaller stable together twice unknown unreachable visible
`);

/** Nouns that say nothing without the rest of the sentence, and adjectives that stood without a noun. */
export const vagueHeads = wordsOf(`
  absence address average boundary case choice choices content current distance dot end exactly example flight flow
  front gain hot impact length level longest maximum middle minimum nearest newer norm nothing original parallel practice
  quality rate rest side smallest solution sources space spot standard state succession sum target thousands trade
  typical way weak
  absolute asynchronous binary concurrent contiguous static uncaught
`);

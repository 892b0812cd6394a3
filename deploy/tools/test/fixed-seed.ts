import fc from 'fast-check';

/**
 * Property tests try the same cases in every run, so that a run fails only because of a change. `PROPERTY_SEED=7` tries
 * others, `PROPERTY_SEED=random` new ones each time; a failure prints its seed.
 */
const { PROPERTY_SEED = '1' } = process.env;
if (PROPERTY_SEED !== 'random') fc.configureGlobal({ seed: Number(PROPERTY_SEED) });

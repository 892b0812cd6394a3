import fc from 'fast-check';

/**
 * Property tests try the same cases in every run, so that a run fails only for what has changed. `PROPERTY_SEED=7` tries others,
 * `PROPERTY_SEED=random` others each time; a failure prints its seed.
 */
const { PROPERTY_SEED = '1' } = process.env;
if (PROPERTY_SEED !== 'random') fc.configureGlobal({ seed: Number(PROPERTY_SEED) });

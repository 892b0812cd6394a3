import { ExpertPoint } from '@interview-prep/contracts/catalog/expert-points';
import { SetOptions } from '@interview-prep/contracts/catalog/sets';
import { Schema } from 'mongoose';
import { z } from 'zod';

const listsOfPoints = z.array(z.array(ExpertPoint));

/**
 * Schema path of `ExpertPoint[][]`, one list per question; undefined if nothing was stored. Mongoose validates the lists as a
 * whole: as subdocuments, the thousand points of the demonstration would take seconds to store.
 */
export const expertPointsField = {
  type: [[Schema.Types.Mixed]],
  default: undefined,
  validate: (lists: unknown) => listsOfPoints.safeParse(lists).success,
};

/** Schema paths of `SetOptions`. The values were already validated by the schema of the API or the event. */
export const setOptionFields = Object.fromEntries(
  Object.keys(SetOptions.shape).map((name) => [name, { type: Schema.Types.Mixed }]),
);

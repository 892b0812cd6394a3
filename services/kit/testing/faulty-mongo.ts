import { setTimeout as pause } from 'node:timers/promises';
import { outageOf } from '../src/process/outages.ts';
import { createTestBacking, type TestBacking } from './backing.ts';
import { createMongoFaults, type WriteFault } from './mongo-faults.ts';

/** What a service writes in one place, about documents that no other case touches. */
export interface WriteCase {
  /** Calls that may come at the same time. Their callers repeat one that met an outage. */
  calls: readonly (() => Promise<unknown>)[];
  /** Asserts what is stored in the end. */
  check(): Promise<void>;
}

/** A backing whose MongoDB can fail as a replica set does. */
export interface FaultyMongo extends TestBacking {
  /**
   * Makes the calls one after another, again and again, each time failing another of their writes, until none is left.
   * @returns how many writes failed
   */
  failEachWrite(fault: WriteFault, prepare: () => Promise<WriteCase>): Promise<number>;
  /** Makes the calls at the same time, in both orders. Of two first upserts of a document one gets E11000. */
  raceUpserts(prepare: () => Promise<WriteCase>): Promise<void>;
}

const mostAttempts = 10;

/** Calls again after an outage, as a client, a queue or a supervisor does. @throws any other error */
async function untilDone(call: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await call();
      return;
    } catch (error) {
      if (outageOf(error) !== 'mongodb' || attempt === mostAttempts) throw error;
      await pause(20);
    }
  }
}

/** @param database as for `createTestBacking` */
export async function createFaultyMongo(database: string): Promise<FaultyMongo> {
  const own = new URL(process.env.MONGODB_URI ?? '');
  // After an outage the driver waits this long before it looks at the server again.
  own.searchParams.set('minHeartbeatFrequencyMS', '10');
  const faults = await createMongoFaults(own.toString());
  const backing = await createTestBacking(database, faults.uri);
  return {
    ...backing,
    async failEachWrite(fault, prepare) {
      for (let index = 0; ; index += 1) {
        const { calls, check } = await prepare();
        const cameTo = faults.failWrite(index, fault);
        for (const call of calls) await untilDone(call);
        const hasFailed = cameTo();
        await check();
        if (!hasFailed) return index;
      }
    },
    async raceUpserts(prepare) {
      for (const inOrder of [true, false]) {
        const { calls, check } = await prepare();
        faults.begin('racing upserts');
        try {
          await Promise.all((inOrder ? calls : calls.toReversed()).map(untilDone));
        } finally {
          faults.end();
        }
        await check();
      }
    },
    async close() {
      await backing.close();
      faults.close();
    },
  };
}

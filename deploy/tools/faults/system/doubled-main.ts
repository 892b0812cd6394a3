/** The product like `npm start` runs it, but with two replicas of each process behind one address. */
import { openReplicaFront } from '@interview-prep/kit/testing/replica-front';
import { REPOSITORY } from '@interview-prep/local/settings';
import { startStack } from '@interview-prep/local/stack';

const stack = await startStack({
  env: process.env,
  replicas: { roots: [REPOSITORY, REPOSITORY], inTurn: true, openFront: openReplicaFront },
  onEvent: (event) => console.log(JSON.stringify(event)),
});
console.log(`Interview Prep is at ${stack.url}`);
process.once('SIGTERM', () => void stack.stop().then(() => process.exit(0)));

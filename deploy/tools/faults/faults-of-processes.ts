import type { Fault, FaultContext } from './fault.ts';
import { COMPONENTS, type Component, signalProcesses } from './system/processes.ts';
import type { System } from './system/system.ts';

const processesOf = (system: System, component: Component) =>
  system.processes().filter((process) => process.component === component);

/** Signals a component and, as a group, what it has started. */
function signal({ system }: FaultContext, component: Component, name: NodeJS.Signals): number[] {
  const leaders = processesOf(system, component).map(({ pid }) => pid);
  signalProcesses(
    leaders.map((pid) => ({ pid: -pid })),
    name,
  );
  return leaders;
}

/** Stops a component for this long: it keeps its connections and answers nothing. Its supervisor may kill it meanwhile. */
async function hang(context: FaultContext, component: Component, seconds: number): Promise<void> {
  const stopped = signal(context, component, 'SIGSTOP');
  const isGone = () => !processesOf(context.system, component).some(({ pid }) => stopped.includes(pid));
  await context.wait(seconds, isGone);
  if (!isGone()) signal(context, component, 'SIGCONT');
}

/** Components whose death the short form tries. */
const SHORT: readonly Component[] = ['worker', 'mongo'];

/** Kills the service again and again while answers arrive in parts. */
const killedBetweenParts: Fault = {
  name: 'parts lost, doubled, reordered and in two tabs while recording is killed',
  async run(context) {
    for (let kill = 0; kill < 4; kill += 1) {
      signal(context, 'recording', 'SIGKILL');
      await context.wait(5);
    }
  },
};

/** Each component killed, terminated, and stopped for 20 s and for 200 s. */
const eachComponent = COMPONENTS.flatMap((component): Fault[] => {
  const isMute = component === 'gateway';
  return [
    {
      name: `kill ${component}`,
      isMute,
      isShort: SHORT.includes(component),
      run: async (context) => void signal(context, component, 'SIGKILL'),
    },
    { name: `terminate ${component}`, isMute, run: async (context) => void signal(context, component, 'SIGTERM') },
    { name: `stop ${component} 20 s`, isMute, run: (context) => hang(context, component, 20) },
    { name: `stop ${component} 200 s`, isMute, isOnce: true, run: (context) => hang(context, component, 200) },
  ];
});

export const processFaults: readonly Fault[] = [killedBetweenParts, ...eachComponent];

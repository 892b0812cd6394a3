import { stemOf } from './stem.ts';

/** Words that say the opposite of one another: either side of a slash; pairs of groups are parted by semicolons. */
const pairs = `
  fast faster fastest quick quicker quickly rapid / slow slower slowest slowly sluggish;
  cheap cheaper inexpensive / expensive costly costlier dear; high higher highest / low lower lowest;
  big bigger biggest large larger largest / small smaller smallest tiny little; long longer longest / short shorter shortest;
  many more most / few fewer fewest less least; maximum maximize maximal max / minimum minimize minimal min;
  increase increases grow grows rise raise gain / decrease decreases shrink shrinks reduce reduces drop fall lower lose;
  before earlier precede prior / after later afterwards follow; first / last; begin start beginning / end finish stop;
  always / never sometimes; every all / some none; both / neither either; same identical equal / different distinct differ;
  mutable changeable modifiable / immutable constant unchangeable readonly frozen final; synchronous synchronously sync / asynchronous asynchronously async;
  blocking blocks / nonblocking; ordered sorted / unordered unsorted random; unique distinct / duplicate repeated;
  static / dynamic dynamically; compile compiled / runtime interpreted; statically / dynamically;
  strong stronger strongly strict / weak weaker weakly loose loosely; tight tightly / loose loosely;
  public / private; global / local; internal inner inside / external outer outside; parent superclass base / child subclass derived;
  left / right; top upper / bottom lower; front / back rear; head / tail; horizontal horizontally / vertical vertically;
  up upward upwards / down downward downwards; shallow / deep; eager eagerly early / lazy lazily late;
  optimistic / pessimistic; explicit explicitly / implicit implicitly; manual manually / automatic automatically;
  stateful / stateless; persistent persisted durable permanent permanently / volatile temporary temporarily ephemeral transient;
  safe / unsafe dangerous; secure / insecure; reliable / unreliable; consistent / inconsistent; available / unavailable;
  valid / invalid; visible shown show shows / invisible hidden hide hides; present / absent; possible / impossible; able / unable;
  dependent depends / independent; direct directly / indirect indirectly; abstract / concrete; specific / general generic;
  simple simpler easy easier / complex complicated difficult hard harder; positive / negative; true / false; success succeed succeeds successful / failure fail fails failing failed unsuccessful;
  resolved resolve fulfilled fulfil fulfills / rejected reject rejects; commit committed / rollback abort aborted;
  allow allows permit permits enable enables let / prevent prevents forbid forbids disallow deny disable block blocks; accept / reject refuse;
  add adds insert append / remove removes delete deletes; create creates / destroy destroys; open / close closed; lock locks / unlock unlocks; acquire acquires / release releases;
  allocate allocates / free deallocate release; load / unload; mount mounted / unmount unmounted; push / pop pull; enqueue / dequeue;
  encrypt encrypted / decrypt decrypted plaintext; encode / decode; serialize / deserialize; import / export; send sends sender senders / receive receives receiver receivers;
  read reads reader reading / write writes writer writing; input / output; request / response; client frontend browser / server backend;
  upload / download; producer publish publisher / consumer subscribe subscriber; stack lifo / queue fifo; lifo / fifo; tcp / udp; heap / stack;
  get / set; join / split; merge / divide; combine / separate; share shares shared / isolate isolated separate own copy copies copied; once / repeatedly again every; together / apart separately;
  single one once / multiple many several; singular / plural; nullable null nil / nonnull; empty / full; primary main / secondary; leader master / follower replica slave;
  normalize normalized normalization / denormalize denormalized denormalization; unsigned / signed; odd / even; ascending / descending;
  best better / worst worse weaker; stronger / worse; good / bad; advantage benefit / disadvantage drawback; keep keeps retain retains preserve / discard discards lose loses drop drops forget;
  required mandatory must / optional; necessary / unnecessary; useful / useless; known / unknown; near close / far; narrow / wide broad;
  include includes inclusive / exclude excludes exclusive; expand / contract collapse; enter / exit leave; forward / backward reverse; ignore ignores / respect consider;
  authentication authenticate / authorization authorize authorise; monolith monolithic / microservice microservices; relational sql / nosql; 
  concurrent parallel simultaneous simultaneously concurrently / sequential sequentially serial serially; balanced / unbalanced; weighted / unweighted; directed / undirected; connected / disconnected;
  recursive recursion / iterative iteration iteratively; liveness / readiness; continuous / intermittent; remember remembers / forget forgets; trusted / untrusted; immediate immediately instantly / delayed later eventually;
  superset / subset; greater / less smaller; above / below under; cold / hot warm; online / offline; nested / flat; inline / block; virtual / physical; logical / physical; cpu / memory; ram / disk; latency / throughput;
  bit bits / byte bytes; kilobyte kilobytes / megabyte megabytes gigabyte gigabytes; megabyte megabytes / gigabyte gigabytes;
  millisecond milliseconds / minute minutes hour hours day days; minute minutes / hour hours day days; hour hours / day days;
  constant / linear; constant linear / logarithmic quadratic exponential
`;

const oppositesOfStem = new Map<string, Set<string>>();
function setOpposites(from: readonly string[], to: readonly string[]): void {
  for (const stem of from) {
    const known = oppositesOfStem.get(stem) ?? new Set<string>();
    for (const other of to) if (other !== stem) known.add(other);
    oppositesOfStem.set(stem, known);
  }
}
for (const pair of pairs.split(';')) {
  const [one, other] = pair.split('/').map((side) => side.trim().split(/\s+/).map(stemOf)) as [string[], string[]];
  setOpposites(one, other);
  setOpposites(other, one);
}

const prefixes = ['un', 'non', 'in', 'im', 'ir', 'il', 'dis', 'de', 'a', 'anti'];
const leastRoot = 5;

/** Whether two stems say the opposite of one another, by the table or by a prefix such as "un" or "non". */
export function areOpposites(a: string, b: string): boolean {
  if (oppositesOfStem.get(a)?.has(b)) return true;
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return short.length >= leastRoot && long.endsWith(short) && prefixes.includes(long.slice(0, -short.length));
}

import { stemOf } from './stem.ts';

/** Words that stand for one another in talk about software, groups parted by semicolons. A word may be in several groups. */
const groups = `
  function method routine procedure subroutine; parameter argument; variable identifier; class type; object instance;
  attribute field property member; array vector; list sequence; string text characters; dictionary map hash hashmap;
  key identifier; hash digest; integer number; boolean flag; error exception fault failure bug mistake;
  crash failure die; constant fixed immutable unchangeable; mutable changeable modifiable; pointer reference address;
  location address position place; memory storage ram; allocate reserve; free release deallocate;
  copy duplicate clone replica; same identical equal; different distinct separate; begin start;
  end finish terminate stop complete; invoke call execute run; execute run perform;
  loop iterate iteration repetition cycle; repeat again repetition; recursive recursion; condition test check;
  check verify validate examine; compare comparison; return output yield give; input argument; result output;
  create make build construct generate produce; constructor initializer; initialize set; declare define;
  declaration definition; modify change update alter edit; mutate change; assign set; remove delete erase drop;
  add insert append; insert put place; get fetch retrieve obtain read; read load; write save store;
  store hold keep contain; contain include comprise consist; find search look locate; choose select pick;
  send pass transmit deliver; receive get accept; share common; private hidden hide encapsulate encapsulation;
  public visible accessible; access reach; inherit inheritance derive extend; parent superclass base;
  child subclass derived; interface contract; implement implementation realize; abstract abstraction;
  reuse reusable reusability; file document; folder directory; row record tuple; column field attribute;
  table relation; query request; request call; response answer reply; database store; server host backend;
  client browser frontend; user person; network web internet; connection link; link connect; message event;
  queue line fifo; stack lifo; first initial; last final; next following subsequent;
  previous former prior preceding earlier; before prior earlier; after following later; top head front; bottom tail;
  left leftmost; right rightmost; node vertex; edge link arc; root top; leaf end; tree hierarchy; sort order arrange;
  sorted ordered; order sequence; big large; biggest largest maximum greatest; small little tiny;
  smallest smaller minimum least lowest; fast quick rapid speedy efficient; faster quicker; slow sluggish expensive;
  cheap inexpensive light; lightweight light; expensive costly slow; cost price; increase grow raise;
  decrease reduce shrink lower; split divide partition separate; half halve; merge combine join unite; swap exchange;
  swap interchange; entire whole complete full; part portion piece section segment; element item entry value;
  value content data; data information; size length; length number; amount number count quantity;
  many several multiple; only single sole; unique distinct; empty blank; null nothing none nil;
  unlimited infinite endless; need require must; allow let enable permit; prevent avoid stop block; avoid eliminate;
  block lock; lock mutex semaphore; parallel concurrent simultaneous; thread worker; process task program;
  program software application app; code program source; module package library; dependency requirement;
  dependent depends rely; test testing; deploy release ship; version revision; branch fork; fix repair correct solve;
  solve resolve; problem issue; goal aim purpose objective; advantage benefit; disadvantage drawback;
  feature characteristic trait property; behaviour behavior; simulate imitate mimic emulate; prototype model draft;
  design plan; phase stage step; step operation; requirement specification; user customer client; cache buffer;
  copy snapshot; persist save durable survive; undo rollback revert; transaction operation; valid correct legal;
  password credential secret; identity who; permission right privilege allowed; role permission;
  encrypt cipher scramble; secure safe protected; protect guard secure; attack exploit;
  render draw display show paint; display show print; component widget; screen page view; style css;
  asynchronous async background nonblocking; wait await block; promise future; callback handler listener;
  listener subscriber observer; publish emit dispatch; handle process; spread distribute balance; overload overwhelm;
  replicate replica copy; shard partition; scale grow; available availability uptime; latency delay; delay wait;
  throughput bandwidth; image picture; container box; isolate separate independent; independent decoupled separate;
  couple coupling tied; wrap enclose surround; outer enclosing; inner nested; nested inside; outside external;
  external foreign; inside within internal; local internal; global everywhere; accessible available visible;
  scope visibility; lifetime duration; automatic automatically implicit; explicit manual; static compile;
  dynamic runtime; translate convert compile; convert transform cast; machine computer; compiler translator;
  operand argument; operator operation; expression statement; indicate show specify; specify indicate state;
  identify recognize determine; determine decide; use utilize employ; help assist support; happen occur; exist live;
  refer point; name identifier; explain describe; guarantee ensure; always every; often frequently; rarely seldom;
  maintain keep preserve; support maintain; improve better enhance; easy simple straightforward;
  hard difficult complex complicated; complex complicated; subject topic; rule constraint restriction; limit bound;
  range interval; time duration; total sum; average mean; random arbitrary; equal same; main primary principal;
  secondary auxiliary; default standard; prototype signature; header heading; body content; template generic;
  adjacent neighbouring neighbor consecutive contiguous; traverse visit walk; front beginning start head;
  rear back end; level depth; height depth; grow expand; shrink contract; constant immediate; linear proportional;
  reorder rearrange; position index; index subscript; subscript offset; literal constant; whole entirety;
  group collection set; collection list; overhead cost; penalty cost; resource memory; exhaust run; stop halt;
  continue proceed; skip ignore omit; miss missing absent; present available; directly immediately;
  indirectly through; remember retain keep; react respond; watch observe monitor; trigger cause fire; cause lead;
  propagate bubble; describe represent; represent denote stand; guess estimate; measure metric; log record;
  trace track; arrive come; leave depart; enter join; subset part; chain link; register subscribe;
  mount attach insert; unmount detach remove; rerender redraw; lazy deferred; eager immediate; schedule plan;
  timeout expire; retry repeat; redundant duplicate repeated; redundancy replication; normalise normalize;
  join combine; filter select; aggregate group summarise; commit save; abort cancel; failover takeover;
  tenant customer; container pod; cluster group; pipeline workflow; environment setting;
  configure configuration setting; monolith single; microservice service; endpoint route url; payload body;
  status code; stateless independent; session login; token jwt; signature signed; certificate tls ssl;
  polymorphism overriding; composition contain; decorator wrapper; factory creator; singleton single; mock fake stub;
  coverage covered; regression break; override overwrite redefine; overload overloaded
`;

const groupsOfStem = new Map<string, number[]>();
for (const [group, words] of groups.split(';').entries()) {
  for (const stem of new Set(words.trim().split(/\s+/).map(stemOf))) {
    const own = groupsOfStem.get(stem);
    if (own) own.push(group);
    else groupsOfStem.set(stem, [group]);
  }
}

/** The numbers of the groups that a stem belongs to; two stems that share a number are synonyms. */
export function synonymGroups(stem: string): readonly number[] {
  return groupsOfStem.get(stem) ?? [];
}

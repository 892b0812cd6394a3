const words = (list: string): string[] => list.trim().split(/\s+/);

/** Grammatical words and fillers. They never count. */
export const functionWords: ReadonlySet<string> = new Set(
  words(`
  a an the this that these those here there some such
  i me my mine myself we us our ours ourselves you your yours yourself he him his himself she her hers herself
  it its itself they them their theirs themselves one ones who whom whose which what something anything everything
  someone anyone everyone somebody anybody everybody somewhere anywhere
  am is are was were be been being do does did done doing have has had having will would shall should can could may
  might must ought let s t re ve ll d m
  and or but nor so yet if then else because since while whereas although though unless till as whether
  of in on at by for with about against into onto through to from up down out off
  along across around upon toward towards per via beside besides
  not none 
  how when where why just very too even still already almost quite rather really
  actually basically simply mostly mainly usually often sometimes generally typically probably perhaps maybe
  well now ever however therefore thus hence otherwise etc eg ie
  much little enough lot lots
  yes yeah okay ok oh uh um ah hmm er like kind sort kinda sorta
  gonna wanna gotta cannot please thank thanks hello
`),
);

/** Words of quantity, time and place. They mean little on their own, but an answer can hinge on one. */
export const relationWords: ReadonlySet<string> = new Set(
  words(`
  all each every both either neither only once again same other another before after without never always no until
  first last more less most least outside inside within instead also many few several any than between during above
  below over under further own
`),
);

/** Content words so frequent in English that sharing one means little. They weigh less than others. */
export const commonWords: ReadonlySet<string> = new Set(
  words(`
  able about act actual add allow answer appear apply area ask bad based basic become begin best better big bit both
  bring build call called case cause certain change clear close come common complete consider contain control correct
  course create day deal decide define depend describe detail determine different difference difficult directly do
  draw early easily easy effect end ensure entire example exist expect explain extra face fact far fast feel final
  find fine first follow following form found full general get give given go good great group half hand handle
  happen hard have help high hold hope hour human idea important include including increase instance interest
  involve issue keep kind know known large last late later lead leave left less let level life likely line list
  little live long look lose lot low main major make manner matter mean means meant might mind moment move much name
  nature near necessary need new next nice note number occur offer old only open order other part particular pass
  past pay people perform person piece place plan play please point position possible present pretty problem produce
  properly provide purpose put question quick quickly quite ready real reason receive related remain require
  respectively result return right room rule run say second see seem sense separate serve set several short show
  similar simple single situation size slow small solve specific stand start state stay step stop stuff sure system
  take talk tell thing think third time today together top total true try turn two type understand up usage use used
  useful user using usual value various version want way week whole wide wish word work world write wrong year
 `),
);

/** Words common to all talk about software. They weigh less than terms of one subject. */
export const fieldWords: ReadonlySet<string> = new Set(
  words(`
  access accept application argument array avoid block cache check child class code collection combine compare compute
  condition connection copy cost count data database declare default delete describe element empty equal error event
  fail field file filter fit fix function grow guarantee handle hide index input insert instance interface item key
  limit link list load log loop match measure memory message method miss network normal object operation option
  ordinary output page parameter parent path plain process program property query read receive record refer remove
  repeat replace report request resource row search send server share side software split store string structure
  support table test text throw update value variable visible wait wrap
`),
);

/** Irregular forms that the stemmer misses. */
export const irregularForms: ReadonlyMap<string, string> = new Map(
  words(`
  took:take taken:take ran:run wrote:write written:write gave:give given:give kept:keep sent:send built:build
  held:hold found:find children:child vertices:vertex indices:index indexes:index matrices:matrix lost:lose
  hidden:hide hid:hide threw:throw thrown:throw chose:choose chosen:choose broke:break broken:break went:go gone:go
  made:make said:say told:tell saw:see seen:see got:get gotten:get came:come became:become began:begin begun:begin
  knew:know known:know grew:grow grown:grow fell:fall fallen:fall led:lead left:leave meant:mean met:meet paid:pay
  rose:rise sat:sit spoke:speak spoken:speak spent:spend stood:stand stole:steal stolen:steal taught:teach
  thought:think understood:understand won:win bound:bind brought:bring bought:buy caught:catch dealt:deal
  drew:draw drawn:draw drove:drive driven:drive fed:feed fought:fight forgot:forget forgotten:forget froze:freeze
  frozen:freeze swapped:swap swept:sweep bigger:big larger:large smaller:small faster:fast slower:slow better:good
  worse:bad mice:mouse aliases:alias men:man women:woman people:person analyses:analysis hypotheses:hypothesis queries:query
  dependencies:dependency dependent:depend dependence:depend
`).map((pair) => pair.split(':') as [string, string]),
);

/** Number words, without "one", which is more often a pronoun. */
export const numberWords: ReadonlySet<string> = new Set(
  words(`
  zero two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen twenty thirty forty
  fifty sixty seventy eighty ninety hundred thousand million billion twice
`),
);

/**
 * Words that this tree once invented or used in a sense of its own, and the term of the field to use instead. To ban another
 * one, add a line with a sentence that has it: `plain-english.test.ts` proves that the pattern finds it.
 */
export interface BannedWord {
  readonly pattern: RegExp;
  readonly instead: string;
  /** A sentence that must be caught. */
  readonly bad: string;
}

const parties = 'bank|chain|company|database|gateway|host|ledger|node|operator|provider|server';

export const bannedWords: readonly BannedWord[] = [
  // Terms.
  { pattern: /\bcall-backs?\b/i, instead: 'callback', bad: 'The signed call-back is stored.' },
  { pattern: /\bweb-hooks?\b/i, instead: 'webhook', bad: 'The signed web-hook is sent.' },
  { pattern: /\bpractice provider\b/i, instead: 'sandbox provider', bad: 'The practice provider shows a page.' },
  { pattern: /\bwish(?:es)?\b/i, instead: 'payment intent', bad: 'Two wishes share a key.' },
  {
    pattern: /\b(?:an?|the|its|another|each|every|no|first|second|new|this|that) taking\b|\btakings\b/i,
    instead: 'chargeback, dispute, or reversal',
    bad: 'A second taking waits.',
  },
  { pattern: /\btellings?\b/i, instead: 'event, or report', bad: 'The telling came twice.' },
  { pattern: /\bsaid-paid\b/i, instead: 'reported as paid', bad: 'A said-paid deposit waits.' },
  { pattern: /\blook-again\b|\blooks? again\b/i, instead: 'recheck, or check again', bad: 'The look-again is due.' },
  {
    pattern: /\b(?:per|each|every) room\b|\brooms (?:of|that)\b/i,
    instead: 'folder, or subject',
    bad: 'A file per room.',
  },
  { pattern: /\bnemesis\b/i, instead: 'random faults', bad: 'A bank under a nemesis.' },
  { pattern: /\bone door\b/i, instead: 'the only entry point', bad: 'Evidence has one door.' },
  {
    pattern: /\bpeople decide\b|\b(?:waits?|kept|left) for people\b|, for people\b|\bpeople must decide\b/i,
    instead: 'staff',
    bad: 'The money waits for people.',
  },
  {
    pattern: new RegExp(`\\b(?:${parties})(?:'s|’s) (?:own )?word\\b`, 'i'),
    instead: 'answer, report, or decision',
    bad: "Only the server's word counts.",
  },
  // Phrases.
  {
    pattern: /\btold of\b|\b(?:is|are|was|were|been|be) told (?:again|late|once|twice|under)\b/i,
    instead: 'informed about, or reported',
    bad: 'Nobody was told of it.',
  },
  { pattern: /\btells? of\b/i, instead: 'reports', bad: 'The event tells of nothing new.' },
  { pattern: /\bbe had\b/i, instead: 'available, or could not be loaded', bad: 'The address could not be had.' },
  { pattern: /\b(?:come|comes|came) to nothing\b/i, instead: 'fails', bad: 'A withdrawal that comes to nothing.' },
  { pattern: /\bunder way\b/i, instead: 'in progress', bad: 'A create is under way.' },
  { pattern: /\b(?:goes|go|going|gone|went) on with\b/i, instead: 'continue', bad: 'A deposit is gone on with.' },
  { pattern: /\bheld against\b/i, instead: 'compared with', bad: 'The page is held against the rows.' },
  { pattern: /\b(?:becomes?|became|become) of\b/i, instead: 'the outcome of', bad: 'What became of the report.' },
  {
    pattern: /\bhow (?:it|they|(?:an?|the) [a-z]+|[a-z]+s) stands?\b/i,
    instead: 'the status of',
    bad: 'It answers how the refund stands.',
  },
  {
    pattern: /\b(?:is|are|was|were|be|been) looked at\b/i,
    instead: 'is checked, or is reviewed',
    bad: 'The origin is looked at first.',
  },
  {
    pattern: /\b(?:that|which) it is of\b|\bof as much\b/i,
    instead: 'belongs to, or of the same amount',
    bad: 'The payment that it is of.',
  },
  { pattern: /\bhand(?:s|ed)? in\b/i, instead: 'pass in', bad: 'Time is handed in.' },
  { pattern: /\banew\b/i, instead: 'again', bad: 'The file is read anew.' },
  { pattern: /\bas ever\b/i, instead: 'as usual', bad: 'Lateness is judged as ever.' },
  { pattern: /\bin earnest\b/i, instead: 'really, or in real time', bad: 'One round waits in earnest.' },
  { pattern: /\bmend(?:s|ed|ing)?\b/i, instead: 'fix', bad: 'A bug that wants mending.' },
  { pattern: /\b(?:make|makes|made) nothing of\b/i, instead: 'ignores', bad: 'Nonsense is made nothing of.' },
];

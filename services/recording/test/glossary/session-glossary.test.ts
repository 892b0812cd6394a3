import { unknownTechnology } from '@interview-prep/contracts/catalog/technologies';
import { describe, expect, it } from 'vitest';
import { sessionGlossary } from '../../src/glossary/session-glossary.ts';
import { wordRarity } from '../../src/glossary/words.ts';

const set = {
  title: 'React: Components and Hooks',
  technology: 'React',
  questions: ['What is useEffect for?', 'How does a load balancer work?'],
  expertAnswers: [
    'It synchronizes a component with a subscription. The subscription is closed when the component unmounts.',
    'It spreads TCP connections over servers.',
  ],
  vocabulary: ['Redux Toolkit', 'react'],
};

describe("a session's glossary", () => {
  it("starts with the set's own terms and its technology, then the question's terms, then those of the others", () => {
    const glossary = sessionGlossary(set, 0, set.expertAnswers[0]);
    expect(glossary.slice(0, 2)).toEqual(['Redux Toolkit', 'react']);
    // The technology is already in the list, with different capitalization.
    expect(glossary).not.toContain('React');
    const place = (term: string) => glossary.indexOf(term);
    expect(place('useEffect')).toBeGreaterThan(1);
    expect(place('subscription')).toBeGreaterThan(1);
    expect(place('balancer')).toBeGreaterThan(place('useEffect'));
    expect(place('balancer')).toBeGreaterThan(place('subscription'));
    expect(place('TCP')).toBeGreaterThan(place('subscription'));
    const other = sessionGlossary(set, 1, set.expertAnswers[1]);
    expect(other.indexOf('TCP')).toBeLessThan(other.indexOf('useEffect'));
  });

  it('has each term once, in singular or plural, and no everyday words', () => {
    const glossary = sessionGlossary(
      { ...set, questions: ['What do hooks and a hook have in common with the people?'], vocabulary: [] },
      0,
    );
    expect(glossary.filter((term) => /^hooks?$/i.test(term))).toHaveLength(1);
    for (const word of ['what', 'do', 'and', 'the', 'people', 'common'])
      expect(glossary.map((term) => term.toLowerCase())).not.toContain(word);
  });

  it('keeps the spelling of names', () => {
    const questions = ['How do Node.js, C++ and IPv6 differ from O(n)?'];
    const glossary = sessionGlossary({ ...set, questions, expertAnswers: [''], vocabulary: [] }, 0);
    expect(glossary).toEqual(expect.arrayContaining(['C++', 'IPv6']));
    expect(glossary.map((term) => term.toLowerCase())).toContain('node.js');
  });

  it('leaves out an unknown technology, and is empty if nothing is known', () => {
    const nothing = { title: '', technology: unknownTechnology, questions: [''], expertAnswers: [''] };
    expect(sessionGlossary(nothing, 0)).toEqual([]);
    expect(sessionGlossary({ ...nothing, technology: '' }, 5)).toEqual([]);
  });
});

it('treats words later in the table as rarer, and unknown words as rarest', () => {
  expect(wordRarity('the')).toBeLessThan(wordRarity('loop'));
  expect(wordRarity('loop')).toBeLessThan(wordRarity('kernel'));
  expect(wordRarity('kubectl')).toBe(1);
});

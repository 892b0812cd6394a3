import { expect, it } from 'vitest';
import { withKnownTechnology } from './use-session-pages.ts';

it('drops sessions without a technology or with an unknown one', () => {
  const items = ['React', '', '  ', 'Unknown Technology', 'unknown technology ', null, undefined, 'Unknown Tech'].map(
    (technology) => (technology === undefined ? {} : { technology }),
  );
  expect(withKnownTechnology(items)).toEqual([{ technology: 'React' }, { technology: 'Unknown Tech' }]);
});

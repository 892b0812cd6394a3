import { allRoutes } from '@interview-prep/contracts/api/routes';
import { describe, expect, it } from 'vitest';
import { upstreamOf } from '../src/proxy-table.ts';

describe('the proxy table', () => {
  it.each(allRoutes.filter(([, route]) => route.service !== 'gateway'))('routes %s to its service', (_name, route) => {
    expect(upstreamOf(route.path.replace(/:\w+/g, '0123456789abcdef01234567'))).toBe(route.service);
  });

  it.each(allRoutes.filter(([, route]) => route.service === 'gateway'))(
    'leaves %s to the gateway itself',
    (_name, route) => {
      expect(upstreamOf(route.path)).toBeUndefined();
    },
  );

  it('matches whole path segments only', () => {
    expect(upstreamOf('/api/authors')).toBeUndefined();
    expect(upstreamOf('/api/interviewsets')).toBeUndefined();
  });
});

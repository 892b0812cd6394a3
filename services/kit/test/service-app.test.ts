import { pino } from 'pino';
import request from 'supertest';
import { expect, test } from 'vitest';
import { HttpError } from '../src/http/http-error.ts';
import { createServiceApp } from '../src/http/service-app.ts';

test.each([
  [501, false],
  [500, true],
  [503, true],
])('an answer with status %i is an error in the log: %s', async (status, isError) => {
  const lines: string[] = [];
  const app = createServiceApp({
    log: pino({ level: 'info' }, { write: (line) => lines.push(line) }),
    checks: {},
    routes: (routes) => {
      routes.get('/x', () => {
        throw new HttpError(status, 'code', 'message');
      });
    },
  });
  await request(app).get('/x').expect(status);
  expect(lines.some((line) => line.includes('"level":50') && line.includes('stack'))).toBe(isError);
});

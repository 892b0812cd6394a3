import { expect, test } from 'vitest';
import { harmlessMarkup } from './trusted-types.ts';

test.each([
  ':root{--a:1px} .b > .c{color:red}',
  '',
  '<style>:host { user-select: none }</style><div class="scroll" part="scroll"><div class="wrapper"></div></div>',
])('style sheets and frames are allowed: %s', (text) => {
  expect(harmlessMarkup(text)).toBe(text);
});

test.each([
  '<img src=x onerror=alert(1)>',
  '<script>alert(1)</script>',
  '<div onclick="alert(1)">',
  '<div class="a" onclick="b">',
  '<svg onload="a">',
  '<style><img src=x onerror=alert(1)>',
  '<a href="javascript:alert(1)">a</a>',
  '<iframe srcdoc="a">',
])('anything that could run a script is blocked: %s', (text) => {
  expect(harmlessMarkup(text)).toBeNull();
});

import { join } from 'node:path';
import { HttpError, notFound } from '@interview-prep/kit/http/http-error';
import compression from 'compression';
import express, { type Express } from 'express';
import { Pool } from 'undici';
import { forwardRequest } from './proxy.ts';

/** Serves the built web app: hashed assets with permanent caching, and at every other path the page, never cached. */
export function serveWebApp(app: Express, root: string): void {
  app.use(compression());
  app.use(
    '/assets',
    express.static(join(root, 'assets'), {
      immutable: true,
      maxAge: '1y',
      index: false,
      fallthrough: true,
      redirect: false,
    }),
    () => {
      throw notFound('There is nothing at this address');
    },
  );
  app.use(express.static(root, { index: false, maxAge: 0, redirect: false }));
  app.get('/{*path}', (req, res, next) => {
    if (req.path.startsWith('/api/') || !req.accepts('html')) return next();
    // Shared interviews are for people with the link: search engines must not index them.
    const robots = req.path === '/shared' ? { 'X-Robots-Tag': 'noindex, nofollow' } : {};
    res.sendFile(join(root, 'index.html'), { headers: { 'Cache-Control': 'no-cache', ...robots } });
  });
  app.use((req, res, next) => {
    if (req.path.startsWith('/api/') || !['POST', 'PUT', 'PATCH', 'DELETE'].includes(req.method)) return next();
    res.set('Allow', 'GET, HEAD');
    req.resume();
    throw new HttpError(405, 'method_not_allowed', `There is no ${req.method} at this address`);
  });
}

/** Proxies everything but the API to a development server; the page opens its WebSocket directly to that server. */
export function serveWebAppFrom(app: Express, url: string): void {
  const server = new Pool(url);
  app.use((req, res, next) => (req.path.startsWith('/api/') ? next() : forwardRequest(req, res, server)));
}

import type { Technology } from '@interview-prep/contracts/catalog/technologies';
import { technologyRoutes } from '@interview-prep/contracts/catalog/technologies';
import { addToAudit } from '@interview-prep/kit/audit/audit-request';
import { versionOf } from '@interview-prep/kit/http/edit-version';
import type { RouteServer } from '@interview-prep/kit/http/serve-route';
import type { Catalog } from '../catalog.ts';
import type { TechnologyRecord } from './model.ts';
import { createTechnology, deleteTechnology, renameTechnology } from './save-technology.ts';

const present = ({ _id, name, slug }: Pick<TechnologyRecord, '_id' | 'name' | 'slug'>): Technology => ({
  id: _id.toHexString(),
  name,
  slug,
  version: versionOf({ name }),
});

const byName = new Intl.Collator('en', { sensitivity: 'base', numeric: true });

export function serveTechnologies(server: RouteServer, { technologies, technologyOutbox }: Catalog): void {
  server.serveAnyone(technologyRoutes.listTechnologies, async () => {
    const existing = await technologies.find({ deletedAt: null }, 'name slug').lean();
    return { technologies: existing.map(present).sort((a, b) => byName.compare(a.name, b.name)) };
  });

  server.serve(technologyRoutes.createTechnology, async ({ body, res }) => {
    const technology = await createTechnology(technologies, body.name);
    addToAudit(res, { target: `technology:${technology._id}`, details: { name: technology.name } });
    await technologyOutbox.publish(technology);
    return { technology: present(technology) };
  });

  server.serve(technologyRoutes.updateTechnology, async ({ params, body, req, res, user }) => {
    const technology = await renameTechnology(technologies, params.id, body.name, { req, res, user });
    await technologyOutbox.publish(technology);
    return { technology: present(technology) };
  });

  server.serve(technologyRoutes.deleteTechnology, async ({ params, res }) => {
    const deleted = await deleteTechnology(technologies, params.id);
    addToAudit(res, { details: { name: deleted.name } });
    await technologyOutbox.publish(deleted);
    return null;
  });
}

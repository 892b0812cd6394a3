import { allRoutes } from '@interview-prep/contracts/api/routes';

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string) => text.replace(/[&<>"]/g, (character) => escapes[character] ?? character);

/** A readable list of all API operations, for /api/docs. The details are in openapi.json. */
export function docsPage(): string {
  const rows = allRoutes.map(
    ([name, route]) =>
      `<tr><td><code>${route.method.toUpperCase()} ${escaped(route.path.replace(/:(\w+)/g, '{$1}'))}</code></td>` +
      `<td>${route.access}</td><td>${escaped(route.summary)}</td><td><code>${name}</code></td></tr>`,
  );
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API · Interview Preparation Platform</title>
<style>
  :root { color-scheme: light dark; }
  body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem; }
  table { border-collapse: collapse; width: 100%; }
  th, td { border-bottom: 1px solid #8884; padding: .4rem .6rem; text-align: left; vertical-align: top; }
  div { overflow-x: auto; }
</style>
<h1>Interview Preparation Platform: API</h1>
<p>Signed-in calls carry <code>Authorization: Bearer &lt;token&gt;</code>. Fields, statuses and shapes are in the
<a href="/api/openapi.json">OpenAPI 3.1 document</a>.</p>
<div><table>
<thead><tr><th>Call</th><th>Who</th><th>What</th><th>Operation</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table></div>
</html>
`;
}

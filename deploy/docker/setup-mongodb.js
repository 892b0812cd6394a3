// Makes an account for each service, with rights on its own database alone, and the collection of the audit log, from which
// nobody but MongoDB deletes. Run by mongosh at each start: what exists is brought up to date, and passwords follow .env, the
// administrator's own last.
const admin = db.getSiblingDB('admin');
const password = (service) => process.env[`MONGODB_${service.toUpperCase()}_PASSWORD`];

const readAndAdd = {
  resource: { db: 'audit', collection: '' },
  actions: ['find', 'insert', 'listCollections', 'listIndexes'],
};
const rights = {
  auth: [
    { role: 'readWrite', db: 'auth' },
    { role: 'auditAppend', db: 'admin' },
  ],
  catalog: [{ role: 'readWrite', db: 'catalog' }],
  recording: [{ role: 'readWrite', db: 'recording' }],
  history: [{ role: 'readWrite', db: 'history' }],
};

const auditIndexes = [
  [{ eventId: 1 }, { unique: true }],
  [{ expiresAt: 1 }, { expireAfterSeconds: 0 }],
  [{ actor: 1, _id: -1 }],
  [{ action: 1, _id: -1 }],
  [{ target: 1, _id: -1 }],
];
const { entries } = db.getSiblingDB('audit');
for (const [key, options] of auditIndexes) entries.createIndex(key, options ?? {});

const role = { privileges: [readAndAdd], roles: [] };
if (admin.getRole('auditAppend')) admin.updateRole('auditAppend', role);
else admin.createRole({ role: 'auditAppend', ...role });

for (const [service, roles] of Object.entries(rights)) {
  const account = { pwd: password(service), roles };
  if (admin.getUser(service)) admin.updateUser(service, account);
  else admin.createUser({ user: service, ...account });
}

admin.changeUserPassword(process.env.MONGO_INITDB_ROOT_USERNAME, process.env.MONGO_INITDB_ROOT_PASSWORD);

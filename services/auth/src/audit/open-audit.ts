import type { Connection } from 'mongoose';
import type { AuthSettings } from '../config.ts';
import { writeAuditLines } from './audit-lines.ts';
import { type AuditLog, openAuditLog } from './audit-log.ts';
import { type AuditEntryModel, auditEntryModel } from './model.ts';

/** Builds the indexes that are missing. The service's account may only have the right to look which are there. */
async function buildMissingIndexes(entries: AuditEntryModel): Promise<void> {
  const existing = await entries.collection.indexes().catch((error: Error & { codeName?: string }) => {
    if (error.codeName === 'NamespaceNotFound') return [];
    throw error;
  });
  const keys = new Set(existing.map(({ key }) => JSON.stringify(key)));
  if (entries.schema.indexes().some(([key]) => !keys.has(JSON.stringify(key)))) await entries.createIndexes();
}

/** Opens the audit log in the database beside auth's, and the lines for a collector. */
export async function openAudit(
  mongo: Connection,
  { AUDIT_DAYS, AUDIT_LOG }: Pick<AuthSettings, 'AUDIT_DAYS' | 'AUDIT_LOG'>,
): Promise<AuditLog> {
  const entries = auditEntryModel(mongo);
  await buildMissingIndexes(entries);
  const forward = AUDIT_LOG === undefined ? undefined : await writeAuditLines(AUDIT_LOG, entries);
  return openAuditLog(entries, { keepDays: AUDIT_DAYS, ...(forward ? { forward } : {}) });
}

import { auditIndexes } from '@interview-prep/kit/audit/audit-chain';
import type { Connection } from 'mongoose';
import type { AuthSettings } from '../config.ts';
import { writeAuditLines } from './audit-lines.ts';
import { type AuditLog, openAuditLog } from './audit-log.ts';
import { type AuditEntryModel, auditEntryModel } from './model.ts';

/**
 * Builds the indexes where there is no collection yet, by one command. The service's account may do no more: an index that
 * expires could delete entries.
 */
async function buildIndexes(entries: AuditEntryModel): Promise<void> {
  const { collection } = entries;
  const existing = await collection.indexes().catch((error: Error & { codeName?: string }) => {
    if (error.codeName === 'NamespaceNotFound') return [];
    throw error;
  });
  if (existing.length > 0) return;
  await collection.createIndexes(auditIndexes.map(({ key, ...options }) => ({ key: { ...key }, ...options })));
}

/** Opens the audit log in the database beside auth's, and the lines for a collector. */
export async function openAudit(mongo: Connection, { AUDIT_LOG }: Pick<AuthSettings, 'AUDIT_LOG'>): Promise<AuditLog> {
  const entries = auditEntryModel(mongo);
  await buildIndexes(entries);
  const forward = AUDIT_LOG === undefined ? undefined : await writeAuditLines(AUDIT_LOG, entries);
  return openAuditLog(entries, forward);
}

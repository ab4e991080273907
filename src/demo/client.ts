import { openAsBlob } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CreateAlertInput } from '../domain/alerts/schemas.ts';
import type { AnalysisDetail } from '../domain/analyses/schemas.ts';
import type { RecordDetail, RecordListItem } from '../domain/records/schemas.ts';
import type { AudioFormat } from '../providers/audio/formats.ts';
import { audioContentTypes } from '../providers/audio/sniff.ts';
import type { Access } from './organizations.ts';

/** A type after JSON: dates arrive as text. */
export type Wire<T> = T extends Date ? string : T extends object ? { [Key in keyof T]: Wire<T[Key]> } : T;

export type UploadInput = { file: string; format: AudioFormat; metadata: Record<string, unknown> };

/** The few operations of the public API that the demo uses, over HTTP like any other client. */
export type DemoClient = {
  upload(input: UploadInput): Promise<{ id: string }>;
  /** The first hundred of the project, oldest first, which include the demo's own. */
  listRecords(): Promise<Wire<RecordListItem>[]>;
  getRecord(id: string): Promise<Wire<RecordDetail>>;
  getAnalysis(id: string): Promise<Wire<AnalysisDetail>>;
  /** Retries a failed record. */
  retryRecord(id: string): Promise<unknown>;
  createAlert(rule: NewAlert): Promise<unknown>;
};

export type NewAlert = Pick<CreateAlertInput, 'name' | 'condition' | 'severity'>;

type ClientOptions = { baseUrl: string; access: Access; signal: AbortSignal };

export function createClient({ baseUrl, access, signal }: ClientOptions): DemoClient {
  const credentials = { Authorization: `Bearer ${access.token}`, 'X-Selected-Org-ID': access.orgId };

  async function request<Data>(
    resource: string,
    init: RequestInit & { headers?: Record<string, string> } = {},
  ): Promise<Data> {
    for (;;) {
      const sent = { ...init, headers: { ...credentials, ...init.headers }, signal };
      const response = await fetch(`${baseUrl}/api/v1${resource}`, sent);
      if (response.status === 429) {
        await sleep(Number(response.headers.get('Retry-After') ?? 1) * 1_000, undefined, { signal });
        continue;
      }
      const body = (await response.json()) as { data: Data; error?: { code: string; message: string } };
      if (response.ok) return body.data;
      throw new Error(
        `${init.method ?? 'GET'} ${resource}: ${response.status} ${body.error?.code}: ${body.error?.message}`,
      );
    }
  }

  return {
    async upload({ file, format, metadata }) {
      const form = new FormData();
      form.set('projectId', access.projectId);
      form.set('metadata', JSON.stringify(metadata));
      form.set('file', await openAsBlob(file, { type: audioContentTypes[format] }), path.basename(file));
      // Encoded in advance: aborting a request while its form is still being streamed crashes the process (undici).
      const encoded = new Response(form);
      const contentType = encoded.headers.get('Content-Type') ?? '';
      const body = await encoded.arrayBuffer();
      return request('/records/upload', { method: 'POST', body, headers: { 'Content-Type': contentType } });
    },
    listRecords: () => request(`/records?projectId=${access.projectId}&pageSize=100&order=asc`),
    getRecord: (id) => request(`/records/${id}`),
    getAnalysis: (id) => request(`/analyses/${id}`),
    retryRecord: (id) => request(`/records/${id}/retry`, { method: 'POST' }),
    createAlert: (rule) =>
      request('/alerts', {
        method: 'POST',
        body: JSON.stringify(rule),
        headers: { 'Content-Type': 'application/json' },
      }),
  };
}

/**
 * Migrations that were edited after databases had been made by them. Each counts as the migration that took its place, once
 * `remedy` has made up for the difference. A migration that is part of a release is never edited: this list is closed.
 */
export type FormerEdition = { hash: string; tag: string; remedy: readonly string[] };

export const formerEditions: readonly FormerEdition[] = [
  {
    hash: '790abb3254cc7526647f66c2bec3885eea658fcbaea73cfa8a23aee90d00d97f',
    tag: '0001_tenancy',
    remedy: ['GRANT INSERT ON orgs TO earshot_app'],
  },
  {
    // 0020_search_newest, before other indexes joined it.
    hash: '34041ebaeca8f26f9b7ef5a55827e8820cb4f834bb57c77c942544587833cf6a',
    tag: '0020_quicker_readings',
    remedy: [
      'CREATE INDEX "records_agent_name" ON "records" USING btree ("org_id","agent_name","id")',
      'DROP INDEX "analyses_score_desc"',
      'CREATE INDEX "analyses_score_desc" ON "analyses" USING btree ("org_id","shown_quality_score" DESC NULLS LAST,"id" DESC NULLS LAST,"current")',
    ],
  },
  {
    // Ids of portals were made of what they were made from elsewhere; they are as good.
    hash: 'e41f4cf9783ae2940ce09b3831938f8a5f254437aef4b00a10bcddf36ffd4539',
    tag: '0027_crm_calls',
    remedy: [],
  },
];

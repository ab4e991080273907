/**
 * Migrations that were edited after databases had applied them. Each counts as the migration that replaced it, once
 * `remedy` has made up for the difference. Released migrations are never edited, so this list is closed.
 */
export type FormerEdition = { hash: string; tag: string; remedy: readonly string[] };

export const formerEditions: readonly FormerEdition[] = [
  {
    hash: '790abb3254cc7526647f66c2bec3885eea658fcbaea73cfa8a23aee90d00d97f',
    tag: '0001_tenancy',
    remedy: ['GRANT INSERT ON orgs TO earshot_app'],
  },
  {
    // 0020_search_newest, before other indexes were added to it.
    hash: '34041ebaeca8f26f9b7ef5a55827e8820cb4f834bb57c77c942544587833cf6a',
    tag: '0020_quicker_readings',
    remedy: [
      'CREATE INDEX "records_agent_name" ON "records" USING btree ("org_id","agent_name","id")',
      'DROP INDEX "analyses_score_desc"',
      'CREATE INDEX "analyses_score_desc" ON "analyses" USING btree ("org_id","shown_quality_score" DESC NULLS LAST,"id" DESC NULLS LAST,"current")',
    ],
  },
  {
    // Portal ids were derived differently in another edition; they are equally valid.
    hash: 'e41f4cf9783ae2940ce09b3831938f8a5f254437aef4b00a10bcddf36ffd4539',
    tag: '0027_crm_calls',
    remedy: [],
  },
];

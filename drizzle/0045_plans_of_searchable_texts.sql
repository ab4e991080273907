-- The same functions in PL/pgSQL, which plans a statement once for a session. A function in SQL sets its statements up with every
-- call, which took longer than to write the texts of a call.
CREATE OR REPLACE FUNCTION put_search_passages(org text, record text, of_kind text, of_language text, content text)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM search_passages WHERE (org_id, record_id, kind) = (org, record, of_kind);
  DELETE FROM search_passages_due WHERE (org_id, record_id, kind) = (org, record, of_kind);
  IF octet_length(content) > 4000 THEN
    INSERT INTO search_passages (org_id, record_id, kind, number, body, lexemes)
    SELECT org, record, of_kind, p.number, p.piece, to_tsvector(of_language::regconfig, p.piece) FROM search_pieces(content) AS p;
  END IF;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION index_record(r records) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM put_search_document(r.org_id, r.id, 'record', NULL, concat_ws(' · ', r.agent_name, r.external_id, r.file_name),
    (SELECT string_agg(value #>> '{}', ' · ') FROM jsonb_path_query(r.metadata, 'strict $.**') AS value
      WHERE jsonb_typeof(value) IN ('string', 'number')), 'AC');
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION index_transcript(org text, record text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM put_search_document(org, record, 'transcript', t.version, '',
    (SELECT string_agg(s.segment ->> 'text', ' ' ORDER BY s.n) FROM jsonb_array_elements(t.segments) WITH ORDINALITY AS s(segment, n)),
    'DD')
    FROM transcripts t
    LEFT JOIN analyses a ON a.org_id = t.org_id AND a.record_id = t.record_id AND a.current
   WHERE t.org_id = org AND t.record_id = record
   ORDER BY coalesce(t.version = a.transcript_version, false) DESC, t.version DESC LIMIT 1;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION index_analysis(org text, analysis text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM put_search_document(a.org_id, a.record_id, 'analysis', a.version, a.summary, concat_ws(' ',
    (SELECT string_agg(value, ', ') FROM jsonb_array_elements_text(a.topics)),
    (SELECT string_agg(value, ' ') FROM jsonb_array_elements_text(a.improvements)),
    (SELECT string_agg(value, ' ') FROM jsonb_array_elements_text(a.action_items)),
    (SELECT string_agg(concat_ws(': ', f ->> 'title', f ->> 'rationale'), ' ') FROM jsonb_array_elements(a.compliance_findings) AS f
      WHERE f ->> 'answer' IN ('fail', 'partial', 'needs_review')),
    v.comment), 'BC')
    FROM analyses a LEFT JOIN reviews v ON v.org_id = a.org_id AND v.analysis_id = a.id
   WHERE a.org_id = org AND a.id = analysis AND a.current;
END $$;

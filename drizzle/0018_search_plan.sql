-- Long texts and their lexemes lie beside the table, which estimates do not count: a scan by the primary key looks cheap for a
-- frequent word, and reads every text. Only bitmaps are let in, and of these only the index of lexemes has one.
ALTER FUNCTION search_matches SET enable_indexscan = off;
--> statement-breakpoint
ALTER FUNCTION search_matches SET enable_indexonlyscan = off;

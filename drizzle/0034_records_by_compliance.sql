CREATE INDEX "records_compliance_created" ON "records" USING btree ("org_id","compliance_status","created_at","id");

-- How many budgets are used up, for the metrics: amounts over all organizations, and not whose they are.
CREATE POLICY system_read ON budgets FOR SELECT TO earshot_system USING (true);
--> statement-breakpoint
GRANT SELECT (budget_limit, period, used, reserved) ON budgets TO earshot_system;

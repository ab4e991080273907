import { z } from 'zod';

export const analysisStatuses = ['pending', 'processing', 'completed', 'failed'] as const;
export const AnalysisStatus = z.enum(analysisStatuses).meta({ id: 'AnalysisStatus' });

export const engineKinds = ['rules', 'model'] as const;

export async function deliveries(_rounds: number): Promise<void> {}

export const benchBuilds = (): Promise<void> => Promise.resolve();

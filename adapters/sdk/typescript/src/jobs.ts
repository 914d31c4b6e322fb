import type { Call } from './core.js';
import type { uploader } from './media.js';
import type { MutationOptions } from './pending.js';
import { wait } from './transport.js';

/** Milliseconds of the first pause between two looks at a job, and of the longest. */
const pauses = { first: 250, longest: 5000 };

interface WaitOptions extends MutationOptions {
  progress?: (job: any) => void;
}

/** waiter looks at a job of a collection, ever more rarely, until it has ended: `wait({ exportId }, options)`. */
export function waiter(call: Call, slug: 'exports' | 'imports') {
  const id = slug === 'exports' ? 'exportId' : 'importId';
  return async (input: object, { progress, ...options }: WaitOptions = {}) => {
    for (let pause = pauses.first; ; pause = Math.min(2 * pause, pauses.longest)) {
      const job = await call(`${slug}.wait`, `GET /api/${slug}/{${id}}`, input, options);
      progress?.(job);
      if (['done', 'failed', 'canceled'].includes(job.status)) return job;
      await wait(pause, options.signal);
    }
  };
}

/** starter sends a file to be imported, in whichever form its bytes are. */
export function starter(upload: ReturnType<typeof uploader>) {
  return async ({ file, ...input }: { file: any; filename?: string }, options?: MutationOptions) => {
    const bytes = file instanceof Blob ? file : await new Response(file).blob();
    return upload({ filename: 'rows', ...input, file: bytes }, options);
  };
}

/** allRows are all rows that `rows` has pages of. */
export function allRows(rows: (input: object, options?: object) => Promise<any>) {
  return async function* (input: object, options?: object) {
    for (let after: number | null | undefined; after !== null; ) {
      const page: any = await rows(after === undefined ? input : { ...input, after }, options);
      yield* page.rows;
      after = page.next;
    }
  };
}

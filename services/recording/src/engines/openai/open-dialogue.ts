import type OpenAI from 'openai';
import { z } from 'zod';
import { EngineError } from '../engine-error.ts';
import { callServer, type OpenAiServer } from './openai-server.ts';

const who = 'The assessment server';

export interface UsedTokens {
  promptTokens: number;
  completionTokens: number;
}

/** Asks a model for an object that matches a schema, about a document of untrusted data. @throws EngineError, or the signal's reason */
type AskFor = <Reply>(
  schemaName: string,
  schema: z.ZodType<Reply>,
  instructions: string,
  document: object,
) => Promise<Reply>;

const formatOf = (schemaName: string, schema: z.ZodType): OpenAI.ResponseFormatJSONSchema => ({
  type: 'json_schema',
  json_schema: { name: schemaName, strict: true, schema: z.toJSONSchema(schema) },
});

/** Some servers wrap JSON in code fences regardless of the request. */
const unfenced = (content: string): string => content.trim().replace(/^```(?:json)?|```$/g, '');

function readReply<Reply>(content: string, schema: z.ZodType<Reply>): { reply: Reply } | { problem: string } {
  let json: unknown;
  try {
    json = JSON.parse(unfenced(content));
  } catch (error) {
    return { problem: `not JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
  const parsed = schema.safeParse(json);
  return parsed.success ? { reply: parsed.data } : { problem: z.prettifyError(parsed.error) };
}

/** A conversation with a model. `used` accumulates the tokens of each call. */
export function openDialogue(
  server: OpenAiServer,
  client: OpenAI,
  { signal, used }: { signal: AbortSignal; used: UsedTokens },
): AskFor {
  const ask = (
    messages: OpenAI.ChatCompletionMessageParam[],
    format: OpenAI.ResponseFormatJSONSchema,
  ): Promise<string> =>
    callServer(who, server, signal, async (options) => {
      const body = { model: server.model, messages, response_format: format };
      const completion = await client.chat.completions.create(body, options);
      used.promptTokens += completion.usage?.prompt_tokens ?? 0;
      used.completionTokens += completion.usage?.completion_tokens ?? 0;
      // Not every compatible server conforms to the types.
      return completion.choices?.[0]?.message?.content ?? '';
    });

  // Retries once if the reply doesn't match the schema.
  return async (schemaName, schema, instructions, document) => {
    const messages: OpenAI.ChatCompletionMessageParam[] = [
      { role: 'system', content: instructions },
      // JSON quoting keeps the candidate's words isolated: nothing they say can close the string.
      { role: 'user', content: JSON.stringify(document) },
    ];
    const format = formatOf(schemaName, schema);
    const content = await ask(messages, format);
    const first = readReply(content, schema);
    if ('reply' in first) return first.reply;
    const correction = `That is not the JSON object that was asked for. ${first.problem}\nAnswer again, with the object alone.`;
    const again = readReply(
      await ask([...messages, { role: 'assistant', content }, { role: 'user', content: correction }], format),
      schema,
    );
    if ('reply' in again) return again.reply;
    throw new EngineError(`${who} did not return the requested format.`, {
      permanent: true,
      cause: again.problem,
    });
  };
}

// post sends JSON, and returns the text of the answer. It is how the plain server calls a tool.

import { Agent, request } from "undici";

const dispatcher = new Agent({ bodyTimeout: 0, headersTimeout: 0 });

export async function post(url, body, signal) {
  const { statusCode, body: answer } = await request(url, {
    method: "POST", body, headers: { "Content-Type": "application/json" }, signal, dispatcher,
  });
  const text = await answer.text();
  if (statusCode !== 200) {
    throw new Error(`status ${statusCode}`);
  }
  return text;
}

// An agent is a conversation with the model: that of a run, or one that the model delegates. LangChain's agent asks the
// model, calls the tools, and asks again.
//
// Own code, and why:
//   - The middleware stores a turn before the model is asked again.
//   - The callback makes an error of an answer that breaks off. Its reason to finish is in no message of a stream.
//   - lookup catches its errors, so that the event has them.
//   - delegate ends the run when its agent fails. LangChain would pass the error on to the model.
//   - lookup posts with the client of the plain server, which is in post.js.
//
// Settings that are not the default:
//   - maxRetries 0 (default 6): a model that fails ends the run.
//   - streamUsage false (default true): the stub does not count tokens.
//   - recursionLimit (default 25): it counts steps of the graph, and the middleware counts turns.
//     https://docs.langchain.com/oss/javascript/langgraph/graph-api#recursion-limit

import { ChatOpenAI, convertMessagesToCompletionsMessageParams } from "@langchain/openai";
import { createAgent, createMiddleware, modelCallLimitMiddleware, tool } from "langchain";
import * as z from "zod";

import { post } from "./post.js";

const maxTurns = 16;
const { STUB_URL } = process.env;

const wholeAnswers = {
  raiseError: true,
  awaitHandlers: true,
  handleLLMEnd({ generations: [[{ generationInfo }]] }) {
    if (!generationInfo.finish_reason) {
      throw new Error("model: the answer breaks off");
    }
  },
};

const model = new ChatOpenAI({
  model: "stub",
  apiKey: "none",
  maxRetries: 0,
  streamUsage: false,
  callbacks: [wholeAnswers],
  configuration: { baseURL: `${STUB_URL}/v1` },
});

// Tools and middleware find the agent that they work for in the context of the call.
const contextSchema = z.object({ agent: z.any() });

const turns = createMiddleware({
  name: "turns",
  contextSchema,
  beforeModel: ({ messages }, { context }) => context.agent.store(messages),
});

const lookup = tool((input, { context, toolCallId, signal }) => context.agent.lookup(toolCallId, input, signal), {
  name: "lookup",
  description: "Looks something up.",
  schema: { type: "object" },
});

const delegate = tool(({ task }, { context, toolCallId }) => context.agent.delegate(toolCallId, task), {
  name: "delegate",
  description: "Lets an agent do a task.",
  schema: z.object({ task: z.string() }),
});

const limit = modelCallLimitMiddleware({ runLimit: maxTurns, exitBehavior: "error" });
const delegating = createAgent({ model, tools: [lookup, delegate], middleware: [turns, limit], contextSchema });
const delegated = createAgent({ model, tools: [lookup], middleware: [turns, limit], contextSchema });

export class Agent {
  // messages are JSON. call is the id of the call of delegate. Without it the agent is the run's own.
  constructor(run, messages, call) {
    this.run = run;
    this.messages = messages.map((text) => JSON.parse(text));
    this.call = call;
    this.stored = this.messages.length;
  }

  emit(name, data) {
    return this.run.emit(name, this.call ? { ...data, agent: this.call } : data);
  }

  // loop asks the model and calls tools until the model stops. It returns the last text.
  async loop() {
    const messages = this.messages.map((m) => ({ ...m, content: m.content ?? "" }));
    const stream = await (this.call ? delegated : delegating).stream({ messages }, {
      context: { agent: this },
      streamMode: ["messages", "values"],
      signal: this.run.signal,
      recursionLimit: 10 * maxTurns,
    });
    let state;
    for await (const [mode, data] of stream) {
      if (mode === "values") {
        state = data;
      } else if (data[0].type === "ai" && data[0].content) {
        await this.emit("token", { text: data[0].content });
      }
    }
    await this.store(state.messages);
    return state.messages.at(-1).content;
  }

  // store stores the turn at the end of messages. There is none before the first call of the model.
  async store(messages) {
    const turn = messages.slice(this.stored);
    this.stored = messages.length;
    if (turn.length > 0 && !this.call) {
      await this.run.store(convertMessagesToCompletionsMessageParams({ messages: turn }).map((m) => JSON.stringify(m)));
    }
  }

  async lookup(id, input, signal) {
    await this.emit("tool_started", { id, name: "lookup" });
    let content, error;
    try {
      content = await post(`${STUB_URL}/tools/lookup`, JSON.stringify(input), signal);
    } catch (failure) {
      signal.throwIfAborted();
      error = failure.message;
      content = `error: ${error}`; // for the model
    }
    await this.emit("tool_finished", { id, error });
    return content;
  }

  // delegate runs another agent.
  async delegate(id, task) {
    await this.emit("agent_started", { id });
    try {
      const text = await new Agent(this.run, [JSON.stringify({ role: "user", content: task })], id).loop();
      await this.emit("agent_finished", { id });
      return text;
    } catch (failure) {
      this.run.fail(failure);
      throw failure;
    }
  }
}

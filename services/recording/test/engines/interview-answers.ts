/** An interview question with its expert answer, and the answers of three kinds of candidates. */
export interface InterviewAnswers {
  question: string;
  expertAnswer: string;
  /** A complete answer in the candidate's own words. */
  good: string;
  /** Fluent, but about a related topic: it doesn't answer the question. */
  wrong: string;
}

/** Written for these tests, and not used to build the assessor. */
export const interviewAnswers: InterviewAnswers[] = [
  {
    question: 'What is a closure in JavaScript?',
    expertAnswer:
      'A closure is a function together with the variables of the scope in which it was created. The inner function keeps access to those variables even after the outer function has returned. Closures are used for private state, for callbacks and for factory functions.',
    good: 'A closure is when an inner function remembers the variables from the scope where it was created. Even after the outer function has returned, the inner function can still read and change those variables. People use closures to keep state private, and in callbacks.',
    wrong:
      'You write it with the keyword class, and then you give it methods and a constructor. With new you make an object from it, and with extends one can inherit from another, so that code is shared.',
  },
  {
    question: 'How does the event loop work in Node.js?',
    expertAnswer:
      'Node runs JavaScript on a single thread. Slow operations such as network and file access are handed to the operating system or a thread pool, and their callbacks are put in a queue. The event loop takes callbacks from the queue one after another when the call stack is empty. Promises run in the microtask queue, before timers.',
    good: 'JavaScript in Node runs in a single thread. When you read a file or call the network, the work is given to the operating system or to a pool of threads, and when it finishes the callback goes into a queue. The loop waits until the stack is empty and then takes the next callback from the queue. Promises go first, before timers.',
    wrong:
      'You install a package with the package manager, and it is written to a file with its version. Then you import the module at the top and export what other modules need. Semantic versions tell you when a change is breaking.',
  },
  {
    question: 'What is the difference between an inner join and a left join in SQL?',
    expertAnswer:
      'An inner join returns only the rows that have a match in both tables. A left join returns every row of the left table, and where the right table has no match its columns are null.',
    good: 'With an inner join you get only those rows that match in both tables. With a left join you get all the rows from the left table, and if there is no matching row on the right side, the columns are filled with null.',
    wrong:
      'An index makes queries faster, because the database can look a value up in a tree and does not have to scan everything. But writing becomes slower, and it takes space on the disk.',
  },
  {
    question: 'Explain what the useEffect hook does in React.',
    expertAnswer:
      'useEffect runs a side effect after the component has rendered, such as fetching data, subscribing or changing the document title. The dependency array decides when it runs again: with an empty array it runs only once, after mounting. The function it returns is the cleanup, which runs before the next effect and on unmounting.',
    good: 'Use effect lets you run side effects after a component renders, for example fetching data or setting up a subscription. You pass a dependency array, and the effect runs again only when something in the array changes. An empty array means it runs once, after the component mounts. You can return a cleanup function, which is called when the component unmounts.',
    wrong:
      'Redux keeps the whole application state in one store. You dispatch an action, a reducer computes the new state from the old one, and the screen is updated with selectors. It is good for big applications.',
  },
  {
    question: 'What are the ACID properties of a database transaction?',
    expertAnswer:
      'Atomicity: all operations of the transaction happen or none does. Consistency: the transaction takes the database from one valid state to another. Isolation: concurrent transactions do not see each other’s unfinished work. Durability: once committed, the changes survive a crash.',
    good: 'Atomicity means that either all of the operations happen or none of them. Consistency means the database goes from one valid state to another valid state. Isolation means that transactions that run at the same time do not disturb each other or see unfinished changes. And durability means that committed changes survive even if the server crashes.',
    wrong:
      'You should normalise the tables so that nothing is stored twice. Every table gets a primary key, and other tables point to it with a foreign key. In the third normal form every column depends only on the key.',
  },
  {
    question: 'What is the difference between a process and a thread?',
    expertAnswer:
      'A process has its own memory space, which other processes cannot access. Threads live within a process and share its memory, so they communicate cheaply but need locks to avoid race conditions. Creating a thread costs less than creating a process, and a crash of one thread can bring the whole process down.',
    good: 'A process has its own separate memory and cannot touch the memory of other processes. Threads run inside one process and share the same memory, so talking between them is cheap, but you have to use locks against race conditions. Threads are lighter to create, but if one of them crashes, the whole process goes down.',
    wrong:
      'A compiler translates the whole program into machine code before it is started. An interpreter reads the source line by line. Some languages compile to byte code, and a virtual machine makes it fast while it runs.',
  },
  {
    question: 'Why would you use an index in a database, and what does it cost?',
    expertAnswer:
      'An index lets the database find rows without scanning the whole table, usually through a B-tree, so reads by the indexed columns are much faster. It costs disk space and slows down inserts and updates, because the index has to be maintained too.',
    good: 'An index helps the database to find the rows quickly without a scan of the full table. It is mostly a tree that is sorted by the column. The price is more disk space, and that inserts and updates get slower, since the index must be kept up to date.',
    wrong:
      'A foreign key makes sure that a value in one table exists in another. If you delete the parent, the children can be deleted as well, or you get an error message, depending on how you declared it.',
  },
  {
    question: 'What is the virtual DOM and why does React use it?',
    expertAnswer:
      'The virtual DOM is a lightweight copy of the real DOM kept in memory. When state changes React renders a new virtual tree, compares it with the previous one and applies only the differences to the real DOM, because changing the real DOM is slow.',
    good: 'It is a light copy of the page’s real tree that is held in memory. When the state changes, React makes a new tree and compares it to the old one, and then it updates only the parts that are different in the real page, since touching the real document is expensive.',
    wrong:
      'Props are passed from the parent to the child, and the child must not modify them. If two components need the same value you lift it up to their closest common parent, or you use context so that you do not pass it by hand.',
  },
  {
    question: 'What does a load balancer do?',
    expertAnswer:
      'A load balancer spreads incoming requests over several servers, so that no single server is overloaded. It checks the health of the servers and stops sending traffic to those that fail, which raises availability. Common strategies are round robin, least connections and hashing by client address.',
    good: 'It distributes the incoming traffic across many servers so that none of them gets overloaded. It also does health checks, and when a server fails it sends no more requests there, so the service stays available. It can choose the server by round robin or by the least connections.',
    wrong:
      'A cache stores the result of an expensive query in memory, so the next reader gets it quickly. The difficult thing is to invalidate it when the data changes. Often you give every entry a time to live.',
  },
  {
    question: 'What is the difference between let, const and var?',
    expertAnswer:
      'var is scoped to the function and is hoisted with the value undefined. let and const are scoped to the block and cannot be used before their declaration, which is called the temporal dead zone. A const cannot be reassigned, but the object it refers to can still be changed.',
    good: 'Variables with var have function scope and they are hoisted, so before the assignment they are undefined. Let and const have block scope and you cannot use them before they are declared. Const cannot be assigned again, although you can still change the object that it points to.',
    wrong:
      'A promise is pending at first, and later it is fulfilled or rejected. You attach handlers with then and catch, or you await it inside of an async function, which looks like ordinary synchronous code.',
  },
  {
    question: 'What is a Docker container and how is it different from a virtual machine?',
    expertAnswer:
      'A container packages an application with its dependencies and runs as an isolated process on the host’s kernel. A virtual machine carries a whole guest operating system on a hypervisor. Containers therefore start in seconds and use less memory, while virtual machines isolate more strongly.',
    good: 'A container packs the application and all its dependencies together and runs isolated, but it shares the kernel of the host. A virtual machine has a complete guest operating system on top of a hypervisor. So containers start much faster and need less memory, and virtual machines give you stronger isolation.',
    wrong:
      'In continuous integration every commit is built and tested by a server. When the tests are green, the pipeline deploys to staging and then to production. You can roll back when something goes wrong after the release.',
  },
  {
    question: 'How do Python lists and tuples differ?',
    expertAnswer:
      'A list is mutable: elements can be added, removed and replaced. A tuple is immutable and cannot be changed after it is created, so it can be hashed and used as a dictionary key. Tuples also take slightly less memory.',
    good: 'Lists are mutable, you can add elements, remove them or replace them. Tuples are immutable, so after creation you cannot change them. Because of that a tuple can be hashed and used as a key of a dictionary, and it needs a bit less memory.',
    wrong:
      'A decorator wraps a function and returns a new one. You put it above the definition with the at sign. It is handy for logging, for timing or to check permissions before the real work is done.',
  },
  {
    question: 'What is the difference between authentication and authorization?',
    expertAnswer:
      'Authentication establishes who the user is, for example by a password or a token. Authorization decides what that user is allowed to do, for example by roles and permissions. Authentication comes first.',
    good: 'Authentication checks who you are, so the user proves the identity with a password or a token. Authorization comes after that and decides what you may do, which resources you are allowed to use, normally with roles and permissions.',
    wrong:
      'Encryption makes the data unreadable on the network. With a public key you encrypt, and only the holder of the private key can decrypt it. The browser shows a lock when the certificate of the site is valid.',
  },
  {
    question: 'What is dependency injection and why is it useful?',
    expertAnswer:
      'With dependency injection an object receives the things it depends on from outside instead of creating them itself, usually through its constructor. This makes the parts loosely coupled, so that implementations can be exchanged and tests can pass in fakes.',
    good: 'It means that a class does not create its own dependencies, but gets them from the outside, mostly as constructor arguments. So the code is loosely coupled, you can swap one implementation for another, and in tests you can pass a fake.',
    wrong:
      'Polymorphism means that the same method call behaves differently for each subclass. An abstract class leaves some methods open, and every child fills them in. You should prefer composition over deep inheritance.',
  },
  {
    question: 'What is the time complexity of binary search, and when can it be used?',
    expertAnswer:
      'Binary search takes logarithmic time, O(log n), because each comparison halves the range that is left. It needs a sorted collection with access by index.',
    good: 'It runs in logarithmic time, because with every comparison you throw away half of the remaining range. You can use it only when the array is sorted and you can access elements by index.',
    wrong:
      'A hash table computes a number from the key and uses it as a position in a bucket. When two keys collide they are chained. On average you find an entry in constant time, but the worst case is linear.',
  },
  {
    question: 'What does idempotent mean for an HTTP method, and which methods are idempotent?',
    expertAnswer:
      'A method is idempotent when sending the same request several times has the same effect on the server as sending it once. GET, HEAD, PUT and DELETE are idempotent, POST is not. It matters because clients can safely retry after a network failure.',
    good: 'Idempotent means that if you repeat the same request many times, the effect on the server is the same as if you send it one time. Get, put, delete and head are idempotent, but post is not. That is important because then the client can safely retry when the network fails.',
    wrong:
      'Cookies are sent by the browser with each call to the same site. You should set the secure flag, and the same site attribute against forged requests. Sessions are kept in memory or in a store like Redis.',
  },
];
